/** True for what is a template's name; anything with a dot or a slash is a file, and `-` is stdin. */
export const isTemplateName = (what: string): boolean => /^[a-z0-9][a-z0-9_-]*$/i.test(what);
