/** Marks words of the bank as such, so that they are not taken for those of obk. */
export const bankSays = (text: string): string => `The bank says: "${text}"`;
