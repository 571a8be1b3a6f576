/**
 * Returns the fields of a body that the user edited in a form. The others are left out of the request, because another
 * user may have changed them since the form was filled.
 */
export function editedFields<Body extends object>(
  form: { readonly isDirty: (field: string) => boolean },
  body: Body,
): Partial<Body> {
  return Object.fromEntries(Object.entries(body).filter(([field]) => form.isDirty(field))) as Partial<Body>;
}
