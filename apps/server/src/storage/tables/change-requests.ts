export interface ChangeRequestTables {
  /** Where changes are reviewed before they are made; an environment without a row is changed directly. */
  change_request_environments: { project: string; environment: string; required_approvals: number };
}
