/** Not one expression: a run asks for each of its headers, and to look for so many ends at each place takes longer than to send them. */
const ends = [
  ...['password', 'passwd', 'pwd', 'passphrase', 'passcode', 'secret', 'token', 'tokens'],
  ...['apikey', 'accesskey', 'subscriptionkey', 'privatekey', 'gatewaykey', 'signingkey', 'assertion'],
  ...['authenticationdata', 'confirmationcode', 'codeverifier', 'credential', 'credentials'],
];
const whole = new Set([
  ...[
    'pin',
    'otp',
    'tan',
    'jwt',
    'authorization',
    'apikey',
    'key',
    'cookie',
    'session',
    'sessionid',
    'bearer',
  ],
  ...['otpcode', 'smscode', 'securitycode', 'devicecode', 'cvv', 'cvv2', 'cvc', 'cvc2'],
]);
/** Names with `key` or `token` in them whose values are not secret: idempotency keys, public keys, page tokens. */
const open = /^(x?idempotency|public|secwebsocket)key$|(pagetoken|continuationtoken|csrftoken)$/;

/** Whether a member, parameter or element of this name holds what only its owner may know: client_secret, X-IBM-Client-Secret. */
export function soundsSecret(name: string): boolean {
  const plain = name
    .replace(/^(?:.*:)?(?:x-)?/i, '')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
  return (
    plain !== 'key' && (whole.has(plain) || ends.some((end) => plain.endsWith(end))) && !open.test(plain)
  );
}

/** As `soundsSecret`, of a header: there a key of any kind is one. */
export function isSecretHeaderName(name: string): boolean {
  const plain = name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
  return soundsSecret(name) || (plain.endsWith('key') && !open.test(plain));
}

/** As `soundsSecret`, of a parameter of an address: a signature there opens what it leads to. */
export const isSecretParameter = (name: string): boolean =>
  soundsSecret(name) || /^(?:sig|x-amz-signature|x-goog-signature)$/i.test(name);

/** Nearly every text has nothing that could be such a name, in whatever form: it is passed over at once. */
export const mayNameSecret = (text: string): boolean =>
  /pass[_.-]?(?:w|phrase|code)|pwd|secret|token|key|assertion|authentication[_.-]?data|confirmation[_.-]?code|verifier|credential|(?<![a-z0-9])(?:pin|otp|tan|jwt|cvv2?|cvc2?|sig)(?![a-z0-9])|(?:otp|sms|security|device)[_.-]?code|bearer|signature=|eyJ|PRIVATE KEY|:\/\/[^\s/"]{1,64}:[^\s/"]{1,128}@|\\u00|%3D|(?:^|[&\s])(?:code|state)=|authorization|cookie|session/i.test(
    text,
  );
