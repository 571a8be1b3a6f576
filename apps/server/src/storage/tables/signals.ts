import type { Generated } from 'kysely';

export interface SignalTables {
  signal_endpoints: {
    id: Generated<number>;
    name: string;
    description: string | null;
    enabled: number;
    created_at: number;
    created_by_user_id: number;
  };
  signal_endpoint_tokens: {
    id: Generated<number>;
    endpoint_id: number;
    name: string;
    secret_hash: string;
    created_at: number;
    created_by_user_id: number;
  };
  /** Signals outlive their endpoint and token, so these are no foreign keys. */
  signals: {
    id: number;
    endpoint_id: number;
    token_id: number;
    created_at: number;
    payload: string;
  };
  signal_deliveries: { endpoint_id: number; delivery_key: string; signal_id: number; created_at: number };
}
