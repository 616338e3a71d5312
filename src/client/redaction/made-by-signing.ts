/** The headers that signing makes of hashes and of the certificate. */
export const madeBySigning = /^(digest|signature|x-jws-signature|tpp-signature-certificate)$/i;

/** The headers that reveal a password or OTP in the body: a fast hash is guessed within seconds, and so is a signature over it. */
export const revealsBody = /^(digest|content-digest|signature|x-jws-signature)$/i;
