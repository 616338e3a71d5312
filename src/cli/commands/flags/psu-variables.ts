type Env = Readonly<Record<string, string | undefined>>;

/** True if the variable holds a secret of the PSU in OBK_PSU_ID while --psu-id names another. */
export function isOfAnotherPsu(variable: string, psuId: unknown, env: Env): boolean {
  const owner = env['OBK_PSU_ID'] ?? '';
  const secret = /^OBK_(PSU_[A-Z_]+|OTP)_FROM$/.test(variable);
  return secret && owner !== '' && typeof psuId === 'string' && psuId !== owner;
}

/** Why the variables are not used that hold secrets of another PSU; undefined where there are none. */
export function unusedVariables(psuId: string | undefined, env: Env): string | undefined {
  const unused = Object.keys(env).filter((name) => isOfAnotherPsu(name, psuId, env));
  if (unused.length === 0) return undefined;
  const [verb, go] = unused.length === 1 ? ['is', 'goes'] : ['are', 'go'];
  return `${unused.sort().join(', ')} ${go} with OBK_PSU_ID (${env['OBK_PSU_ID'] ?? ''}) and ${verb} not used for ${psuId ?? ''}.`;
}
