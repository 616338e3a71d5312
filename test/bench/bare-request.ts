import type { ShellTpp } from './shell-request.ts';

/**
 * The beginning of a CommonJS script that signs and sends with Node's own modules alone and does nothing else: what the
 * fastest tool in Node would cost. `call(method, url, body, headers)` gives the parsed answer; psu-id is signed too.
 */
export const bareRequests = ({ certificatePath, keyPath }: ShellTpp): string => `
const fs = require('node:fs'), http = require('node:http'), crypto = require('node:crypto');
const x509 = new crypto.X509Certificate(fs.readFileSync(${JSON.stringify(certificatePath)}));
const key = crypto.createPrivateKey(fs.readFileSync(${JSON.stringify(keyPath)}));
const issuer = x509.issuer.split('\\n').reverse().join(',').replaceAll(' ', '%20');
const keyId = 'SN=' + x509.serialNumber.toLowerCase().replace(/^0+/, '') + ',CA=' + issuer;
const algorithm = key.asymmetricKeyType === 'ec' ? 'ecdsa-sha256' : 'rsa-sha256';
const agent = new http.Agent({ keepAlive: true });
const call = (method, url, body = '', more = {}) => new Promise((resolve, reject) => {
  const id = crypto.randomUUID();
  const digest = 'SHA-256=' + crypto.createHash('sha256').update(body).digest('base64');
  const lines = ['digest: ' + digest, 'x-request-id: ' + id, ...(more['psu-id'] ? ['psu-id: ' + more['psu-id']] : [])];
  const signature = crypto.sign('sha256', Buffer.from(lines.join('\\n')), key).toString('base64');
  const headers = {
    ...more, 'X-Request-ID': id, Date: new Date().toUTCString(), Accept: 'application/json', Digest: digest,
    Signature: 'keyId="' + keyId + '",algorithm="' + algorithm + '",headers="' + lines.map((line) => line.split(':')[0]).join(' ') +
      '",signature="' + signature + '"',
    'TPP-Signature-Certificate': x509.raw.toString('base64'),
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  };
  http.request(url, { method, headers, agent }, (answer) => {
    let text = '';
    answer.on('data', (chunk) => (text += chunk)).on('end', () =>
      answer.statusCode < 300 ? resolve(JSON.parse(text)) : reject(new Error(answer.statusCode + ' ' + text)));
  }).on('error', reject).end(body);
});
`;
