import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { TppCertificate } from '../../referee/signature/tpp-certificate.ts';
import type { RunningBank } from './call.ts';
import { refusalOf } from './verify.ts';

/** The certificate that the client of this connection showed; who trusts it is another question. */
export function peerOf({ socket }: IncomingMessage): X509Certificate | undefined {
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
}

/** The certificate of a connection as the bank reads it; throws Refusal 401 for one that it does not take. */
export function readPeer(
  { certificates, wallClock }: Pick<RunningBank, 'certificates' | 'wallClock'>,
  peer: X509Certificate,
): TppCertificate {
  const { certificate, mistake } = certificates.readPeer(peer, wallClock.now());
  if (mistake !== undefined) throw refusalOf(mistake);
  if (certificate === undefined) throw new Error('a client certificate passed without being read');
  return certificate;
}
