import type { Generated } from 'kysely';

export interface SystemTables {
  settings: {
    name: string;
    /** JSON. */
    content: string;
  };
  jobs: {
    id: Generated<number>;
    kind: string;
    payload: string;
    /** While set, another job with the same key waits for no second time. */
    unique_key: string | null;
    run_at: number;
    attempts: number;
    last_error: string | null;
  };
}
