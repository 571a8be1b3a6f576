import type { Generated } from 'kysely';

export interface SystemTables {
  settings: {
    name: string;
    /** JSON: the value of the setting. */
    content: string;
  };
  jobs: {
    id: Generated<number>;
    kind: string;
    payload: string;
    /** A job with the same key is not added while this row exists. */
    unique_key: string | null;
    run_at: number;
    attempts: number;
    last_error: string | null;
  };
}
