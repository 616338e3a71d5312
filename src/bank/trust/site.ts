import type { Doors } from '../../settings/doors/doors.ts';

/** Where the OAuth server of the bank says how it is used (RFC 8414). */
export const oauthMetadataPath = '/.well-known/oauth-authorization-server';

/** Where the bank is for those who call it: what stands in front of the paths in its links. */
export interface Site {
  /** Scheme, host and port. */
  origin: string;
  /** The path in front of every path: empty, or with a slash before it and none behind. */
  base: string;
}

/** The site of a call that came to this origin: the public address where one was given. */
export function siteOf({ basePath, publicUrl }: Pick<Doors, 'basePath' | 'publicUrl'>, called: string): Site {
  if (publicUrl === undefined) return { origin: called, base: basePath };
  const { origin, pathname } = new URL(publicUrl);
  return { origin, base: pathname.replace(/\/$/, '') };
}

/** The address of a site as text, without a slash at its end. */
export function addressOf({ origin, base }: Site): string {
  return origin + base;
}
