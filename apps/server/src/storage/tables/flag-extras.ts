export interface FlagExtraTables {
  /** Flag types, in the order of `place`. */
  feature_types: {
    id: string;
    place: number;
    name: string;
    description: string;
    lifetime_days: number | null;
  };
  /** Strategy types, in the order of `place`; `parameters` is JSON. */
  strategies: {
    name: string;
    place: number;
    title: string | null;
    display_name: string | null;
    description: string;
    editable: number;
    deprecated: number;
    parameters: string;
  };
  /** Variants of a flag in an environment, without those of its strategies; without variants there is no row. */
  feature_variants: { feature_name: string; environment: string; variants: string };
  feature_links: { id: string; feature_name: string; url: string; title: string | null; created_at: number };
  /**
   * Favorites of accounts and of admin tokens. `account_id` equals `user_id` for an account, and is null for a token.
   */
  favorite_features: { user_id: number; account_id: number | null; feature_name: string };
  favorite_projects: { user_id: number; account_id: number | null; project: string };
}
