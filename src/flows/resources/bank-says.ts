/** Words of the bank, marked as such: nobody shall take them for those of obk. */
export const bankSays = (text: string): string => `The bank says: "${text}"`;
