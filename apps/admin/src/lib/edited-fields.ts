/** Says that someone else has changed a field that the user edited. */
export class ChangedMeanwhile extends Error {}

/** The request body of one row, of three times. */
interface Versions<Body> {
  /** From the values with which the form was filled. */
  readonly loaded: Body;
  /** From the values of the form now. */
  readonly edited: Body;
  /** From the row that the server has now. */
  readonly current: Body;
}

/**
 * Returns the fields of a body that the user edited in a form. The others are left out or taken from `current`, because
 * another user may have changed them since the form was filled. Throws {@link ChangedMeanwhile} when another user has
 * changed an edited field.
 */
export function editedFields<Body extends object>({ loaded, edited, current }: Versions<Body>): Partial<Body> {
  const isSame = (field: keyof Body, one: Body, other: Body) =>
    JSON.stringify(one[field]) === JSON.stringify(other[field]);
  const fields = (Object.keys(edited) as (keyof Body & string)[]).filter((field) => !isSame(field, edited, loaded));
  const lost = fields.filter((field) => !isSame(field, current, loaded) && !isSame(field, current, edited));
  if (lost.length > 0)
    throw new ChangedMeanwhile(
      `Someone has changed the ${lost.map(inWords).join(' and the ')} since this form was opened. Open the form again to see the change.`,
    );
  return Object.fromEntries(fields.map((field) => [field, edited[field]])) as Partial<Body>;
}

/** Returns the name of a field as words: `legal values` for `legalValues`. */
function inWords(field: string): string {
  return field.replace(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`);
}
