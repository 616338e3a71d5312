/** How a value may stand in what a bank or a log says. */
export const encodings: Record<string, (value: string, before: string, after: string) => string> = {
  plain: (value, before, after) => before + value + after,
  JSON: (value, before, after) => JSON.stringify({ x: before + value + after }),
  'JSON in JSON': (value, before, after) => JSON.stringify(JSON.stringify({ x: before + value + after })),
  URL: (value, before, after) => encodeURIComponent(before + value + after),
  form: (value, before, after) => new URLSearchParams([['x', before + value + after]]).toString(),
  hex: (value, before, after) => Buffer.from(before + value + after).toString('hex'),
  HEX: (value, before, after) =>
    Buffer.from(before + value + after)
      .toString('hex')
      .toUpperCase(),
  base64: (value, before, after) => Buffer.from(before + value + after).toString('base64'),
  base64url: (value, before, after) => Buffer.from(before + value + after).toString('base64url'),
};
