import type { Generated } from 'kysely';

export interface AccessTables {
  roles: { id: Generated<number>; name: string; type: string; description: string };
  /** Permissions of custom roles. A row without an environment grants the permission in all environments. */
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
    /** Time of the first login through single sign-on. */
    sso_since: number | null;
  };
  /** Who made an account or set how its person logs in. Rows stay when an account is deleted. */
  account_controllers: {
    id: Generated<number>;
    /** The account; null for all accounts that log in through single sign-on. */
    user_id: number | null;
    /** The account that got control; null when it is not known, as for a person who signed up. */
    controller_user_id: number | null;
    means: string;
    controlled_at: number;
  };
  sessions: {
    id: Generated<number>;
    user_id: number;
    secret_hash: string;
    created_at: number;
    expires_at: number;
    /**
     * The ID token of the provider of single sign-on, which a logout at the provider requires; null after other logins.
     */
    id_token: string | null;
    /** Description of the browser for people; null when unknown. */
    device: string | null;
    /** IP address of the login. */
    address: string | null;
    /** Time of the last use; null when never stored. */
    seen_at: number | null;
  };
  /** Logins through single sign-on whose browser was sent to the provider and has not come back. */
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
    /** The user who logged in; null for an unknown user name. */
    user_id: number | null;
  };
  /**
   * Failed logins, which delay the next login. The key is `account:` with the user id, `name:` with the hash of a name
   * that no user has, or `known:`, the user id and a network from which that user has logged in before.
   */
  login_delays: { attempt_key: string; failures: number; failed_at: number };
  /** Links for setting a password. Whoever has the link can set the password of its user. */
  password_links: {
    id: Generated<number>;
    user_id: number;
    secret_hash: string;
    created_by: string;
    /** The account that made the link; null for links of the server and of older versions. */
    created_by_user_id: number | null;
    expires_at: number;
    used_at: number | null;
  };
  /** Passwords of a user; the last row is the current password. */
  used_passwords: { id: Generated<number>; user_id: number; password_hash: string };
  invite_links: {
    id: Generated<number>;
    name: string;
    secret_hash: string;
    enabled: number;
    expires_at: number;
    created_by: string;
    /** The account that made the link; null for links of initial API tokens and of older versions. */
    created_by_user_id: number | null;
    created_at: number;
  };
  invite_link_users: { link_id: number; user_id: number };
  /** Personal access tokens of users and tokens of service accounts. */
  personal_tokens: {
    id: Generated<number>;
    user_id: number;
    description: string;
    secret_hash: string;
    created_at: number;
    expires_at: number;
    seen_at: number | null;
    /** Who made the token; null for tokens of older versions. */
    created_by: string | null;
  };
  api_tokens: {
    id: Generated<number>;
    name: string;
    type: 'admin' | 'client' | 'backend' | 'frontend' | 'replica';
    secret_hash: string;
    environment: string;
    created_at: number;
    expires_at: number | null;
    seen_at: number | null;
    /** The encrypted secret; null when it cannot be read back. */
    sealed_secret: string | null;
    /** Who made the token; null for tokens of older versions. */
    created_by: string | null;
  };
  /** Projects that a token is limited to; a token for all projects has no row. */
  api_token_projects: { token_id: number; project: string };
}
