/** What a script needs to sign as a TPP: paths of PEM files. */
export interface ShellTpp {
  certificatePath: string;
  keyPath: string;
}

/**
 * The beginning of a bash script that signs by openssl and sends by curl: what it tells of the certificate, read once, and
 * `call METHOD URL BODY [NAME=VALUE ...]`, whose last arguments are headers with names in small letters; psu-id is signed too.
 */
export const shellRequests = ({ certificatePath, keyPath }: ShellTpp): string => `set -eu
serial="$(openssl x509 -in '${certificatePath}' -noout -serial | cut -d= -f2 | tr 'A-F' 'a-f' | sed 's/^0*//')"
issuer="$(openssl x509 -in '${certificatePath}' -noout -issuer -nameopt RFC2253 | sed 's/^issuer=//; s/ /%20/g')"
certificate="$(openssl x509 -in '${certificatePath}' -outform der | base64 -w0)"
algorithm="$(openssl pkey -in '${keyPath}' -noout -text | grep -q 'ASN1 OID' && echo ecdsa-sha256 || echo rsa-sha256)"
call() {
  local method="$1" url="$2" body="$3" names='digest x-request-id' digest id lines header signature
  local headers=()
  shift 3
  digest="SHA-256=$(printf '%s' "$body" | openssl dgst -sha256 -binary | base64 -w0)"
  id="$(cat /proc/sys/kernel/random/uuid)"
  lines="digest: $digest"$'\\n'"x-request-id: $id"
  for header in "$@"; do
    headers+=(-H "\${header%%=*}: \${header#*=}")
    case "$header" in psu-id=*) names="$names psu-id" lines="$lines"$'\\n'"psu-id: \${header#*=}" ;; esac
  done
  if [ -n "$body" ]; then headers+=(-H 'Content-Type: application/json' --data-binary "$body"); fi
  signature="$(printf '%s' "$lines" | openssl dgst -sha256 -sign '${keyPath}' -binary | base64 -w0)"
  curl -sS --fail --max-redirs 0 -X "$method" "$url" "\${headers[@]}" \\
    -H "X-Request-ID: $id" -H "Date: $(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')" -H "Digest: $digest" -H 'Accept: application/json' \\
    -H "Signature: keyId=\\"SN=$serial,CA=$issuer\\",algorithm=\\"$algorithm\\",headers=\\"$names\\",signature=\\"$signature\\"" \\
    -H "TPP-Signature-Certificate: $certificate"
}
`;
