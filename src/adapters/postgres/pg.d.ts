/** The part of the package pg that obk uses. */
declare module 'pg' {
  import type { EventEmitter } from 'node:events';

  export interface ClientConfig {
    host: string;
    port: number;
    user: string;
    password: () => string;
    database: string;
    ssl: false | { rejectUnauthorized: true; minVersion: 'TLSv1.2'; servername?: string; ca?: string };
    connectionTimeoutMillis: number;
    query_timeout: number;
    application_name: string;
    fallback_application_name?: string;
  }

  export class Client extends EventEmitter {
    constructor(config: ClientConfig);
    connect(): Promise<void>;
    query(text: string, values?: readonly unknown[]): Promise<{ command: string; rows: unknown[] }>;
    end(): Promise<void>;
    readonly processID: number | null;
  }

  const pg: { Client: typeof Client };
  export default pg;
}
