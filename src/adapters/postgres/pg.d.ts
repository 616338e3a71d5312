/** The part of the package pg that obk uses. */
declare module 'pg' {
  import type { EventEmitter } from 'node:events';

  export interface ClientConfig {
    host: string;
    port: number;
    user: string;
    password: () => string;
    database: string;
    ssl:
      | false
      | { rejectUnauthorized: true; minVersion: 'TLSv1.2'; servername?: string; ca?: string | undefined };
    connectionTimeoutMillis: number;
    query_timeout: number;
    pipeline: true;
    types: { getTypeParser: TypeParser };
    application_name: string;
    fallback_application_name?: string;
  }

  /** What reads a value of this type from its text. */
  export type TypeParser = (oid: number, format?: string) => (value: never) => unknown;

  interface Result {
    command: string;
    rows: unknown[];
  }

  export class Client extends EventEmitter {
    constructor(config: ClientConfig);
    connect(): Promise<void>;
    /** An array where the text holds several statements. */
    query(text: string, values?: readonly unknown[]): Promise<Result | Result[]>;
    end(): Promise<void>;
    unref(): void;
    readonly processID: number | null;
    readonly connection: { readonly stream: { destroy(): void } };
  }

  const pg: { Client: typeof Client; types: { getTypeParser: TypeParser } };
  export default pg;
}
