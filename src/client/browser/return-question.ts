/** The redirected URL, where there is no terminal: it is a secret, since it may carry a code. */
export const returnQuestion = {
  id: 'return-url',
  flag: '--return-url-from',
  env: 'OBK_RETURN_URL_FROM',
  text: 'Address that the browser ended at',
} as const;
