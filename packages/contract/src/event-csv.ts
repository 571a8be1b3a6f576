/** The fields of an event that CSV shows. */
interface ExportedEvent {
  readonly id: number;
  readonly createdAt: string;
  readonly type: string;
  readonly label: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly project: string | null;
  readonly environment: string | null;
  readonly featureName: string | null;
  readonly cause: { readonly signalId: number | null; readonly runId: number | null };
  readonly outcome: string;
  readonly reason: string | null;
  readonly origin: {
    readonly address: string | null;
    readonly userAgent: string | null;
    readonly method: string;
  } | null;
  readonly preData?: unknown;
  readonly data?: unknown;
  readonly tags: readonly { readonly type: string; readonly value: string }[];
}

/** The columns of events as CSV. */
const columns: Readonly<Record<string, (event: ExportedEvent) => unknown>> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  type: ({ type }) => type,
  label: ({ label }) => label,
  createdBy: ({ createdBy }) => createdBy,
  createdByUserId: ({ createdByUserId }) => createdByUserId,
  project: ({ project }) => project,
  environment: ({ environment }) => environment,
  featureName: ({ featureName }) => featureName,
  signalId: ({ cause }) => cause.signalId,
  runId: ({ cause }) => cause.runId,
  outcome: ({ outcome }) => outcome,
  reason: ({ reason }) => reason,
  address: ({ origin }) => origin?.address,
  userAgent: ({ origin }) => origin?.userAgent,
  method: ({ origin }) => origin?.method,
  preData: ({ preData }) => (preData === null ? '' : JSON.stringify(preData)),
  data: ({ data }) => (data === null ? '' : JSON.stringify(data)),
  tags: ({ tags }) => tags.map(({ type, value }) => `${type}:${value}`).join(' '),
};

/** The header of events as CSV, with its line end. */
export const eventCsvHeader = `${Object.keys(columns).join(',')}\r\n`;

/** Returns events as rows of CSV (RFC 4180). Text that spreadsheets run as a formula begins with an apostrophe. */
export function eventCsvRows(events: readonly ExportedEvent[]): string {
  return events
    .map(
      (event) =>
        `${Object.values(columns)
          .map((read) => csvCell(read(event)))
          .join(',')}\r\n`,
    )
    .join('');
}

/** Returns a value as a cell of CSV. Text that spreadsheets run as a formula begins with an apostrophe. */
export function csvCell(value: unknown): string {
  const text = String(value ?? '');
  // Spreadsheets run such text as a formula, also after blanks and in full-width characters.
  const safe = typeof value === 'string' && /^[\s\uFEFF]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
