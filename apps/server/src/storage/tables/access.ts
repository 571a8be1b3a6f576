import type { Generated } from 'kysely';

export interface AccessTables {
  roles: { id: Generated<number>; name: string; type: string; description: string };
  /** What roles grant that do not come with the product. Without an environment it holds in all of them. */
  role_permissions: { role_id: number; permission: string; environment: string | null };
  user_groups: {
    id: Generated<number>;
    name: string;
    description: string | null;
    mappings_sso: string;
    root_role_id: number | null;
    created_by: string;
    created_at: number;
  };
  group_users: { group_id: number; user_id: number; created_by: string; joined_at: number };
  project_user_roles: { project: string; user_id: number; role_id: number; added_at: number };
  project_group_roles: { project: string; group_id: number; role_id: number; added_at: number };
  /** People and service accounts. */
  users: {
    id: Generated<number>;
    kind: 'user' | 'service-account';
    username: string | null;
    email: string | null;
    name: string | null;
    root_role_id: number;
    password_hash: string | null;
    login_attempts: number;
    seen_at: number | null;
    created_at: number;
    /** Since when a provider has let them in. */
    sso_since: number | null;
  };
  sessions: {
    id: Generated<number>;
    user_id: number;
    secret_hash: string;
    created_at: number;
    expires_at: number;
    /** What the provider said of whom it let in, which it asks for when they log out there too. */
    id_token: string | null;
    /** What it was begun with, in words for a person; null when the browser did not say. */
    device: string | null;
    /** Where it was begun from. */
    address: string | null;
    /** When it was last used; null when that was never noted. */
    seen_at: number | null;
  };
  /** Logins that have been sent to the provider and have not come back. */
  sso_logins: {
    id: Generated<number>;
    secret_hash: string;
    state: string;
    nonce: string;
    code_verifier: string;
    return_to: string;
    expires_at: number;
  };
  login_history: {
    id: Generated<number>;
    username: string;
    auth_type: 'simple' | 'oidc';
    created_at: number;
    successful: number;
    ip: string | null;
    failure_reason: string | null;
    /** Whose login it was; null where the name is nobody's. */
    user_id: number | null;
  };
  /** Failed logins that delay the next one, by user name or by user and known network. */
  login_delays: { attempt_key: string; failures: number; failed_at: number };
  /** Links by which a user sets a password. Who has one knows the secret. */
  password_links: {
    id: Generated<number>;
    user_id: number;
    secret_hash: string;
    created_by: string;
    expires_at: number;
    used_at: number | null;
  };
  /** Passwords that a user had, the last of them the present one. */
  used_passwords: { id: Generated<number>; user_id: number; password_hash: string };
  invite_links: {
    id: Generated<number>;
    name: string;
    secret_hash: string;
    enabled: number;
    expires_at: number;
    created_by: string;
    created_at: number;
  };
  invite_link_users: { link_id: number; user_id: number };
  /** Tokens of people (personal access tokens) and of service accounts. */
  personal_tokens: {
    id: Generated<number>;
    user_id: number;
    description: string;
    secret_hash: string;
    created_at: number;
    expires_at: number;
    seen_at: number | null;
  };
  api_tokens: {
    id: Generated<number>;
    name: string;
    type: 'admin' | 'client' | 'backend' | 'frontend';
    secret_hash: string;
    environment: string;
    created_at: number;
    expires_at: number | null;
    seen_at: number | null;
    /** The secret, encrypted, where it may be read back. */
    sealed_secret: string | null;
  };
  /** Projects a token is limited to; a token of all projects has no row. */
  api_token_projects: { token_id: number; project: string };
}
