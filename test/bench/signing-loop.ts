/**
 * Signed reads by nothing but Node: signs as many at once as it has connections, checks no answer, and prints how many ended a
 * second. Without `url` it only signs. No client in one process of Node does more.
 */
export const signingLoop = `const crypto = require('node:crypto'), fs = require('node:fs'), http = require('node:http');
const { url, keyPath, certificatePath, atOnce, seconds, warm } = JSON.parse(process.argv[2]);
const key = crypto.createPrivateKey(fs.readFileSync(keyPath));
const certificate = new crypto.X509Certificate(fs.readFileSync(certificatePath)).raw.toString('base64');
const digest = 'SHA-256=' + crypto.createHash('sha256').digest('base64');
const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
const began = performance.now();
const passed = () => (performance.now() - began) / 1000;
let ended = 0;
let running = atOnce;
const next = () => {
  if (passed() > warm) ended += 1;
  if (passed() < warm + seconds) return once();
  if ((running -= 1) === 0) { console.log(ended / seconds); process.exit(); }
};
const once = () => {
  const id = crypto.randomUUID();
  const date = new Date().toUTCString();
  const text = 'digest: ' + digest + '\\nx-request-id: ' + id + '\\ndate: ' + date;
  crypto.sign('sha256', Buffer.from(text), key, (error, bytes) => {
    if (error) throw error;
    if (url === undefined) return next();
    const headers = {
      'X-Request-ID': id, Date: date, Accept: 'application/json', Digest: digest, 'TPP-Signature-Certificate': certificate,
      Signature: 'keyId="SN=1,CA=CN=bench",algorithm="rsa-sha256",headers="digest x-request-id date",signature="' + bytes.toString('base64') + '"',
    };
    http.get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) throw new Error('status ' + answer.statusCode);
      answer.resume().on('end', next);
    });
  });
};
for (let at = 0; at < atOnce; at += 1) once();
`;
