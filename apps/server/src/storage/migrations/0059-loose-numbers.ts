/**
 * Marks the stored constraints that compare numbers: they go on reading blank text of a context as 0 (ADR 98). The
 * marks are written into the JSON as text, which both engines do alike. A quote inside a value is escaped in JSON, so
 * only operators match.
 */
export function looseNumbers(): readonly string[] {
  return [
    mark('feature_strategies', 'constraints'),
    mark('segments', 'constraints'),
    mark('default_strategies', 'constraints'),
    mark('release_templates', 'milestones'),
    mark('release_plans', 'milestones'),
    mark('feature_leases', 'milestone'),
    // The state that a change request was made for: the marks are no conflict then.
    mark('change_request_changes', 'base'),
  ];
}

function mark(table: string, column: string): string {
  return `update ${table}
    set ${column} = replace(${column}, '"operator":"NUM_', '"looseNumber":true,"operator":"NUM_')
    where ${column} like '%"operator":"NUM_%'`;
}
