/** Whether a text can be the name of a bank: it is part of a path, of a command line and of a URL. */
export function isBankName(text: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/i.test(text);
}

/** Whether somebody may give a bank this name: a number alone is the port of a bank without a name. */
export function isGivenName(text: string): boolean {
  return isBankName(text) && !/^\d+$/.test(text);
}
