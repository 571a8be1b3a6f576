/** The name of the server as the author of a change, in fields for programs: the name that Unleash has. */
const systemUserName = 'unleash_system_user';

/** Returns the name of an author as people read it: "Yardarm" for the server. */
export function readableAuthor(name: string): string {
  return name === systemUserName ? 'Yardarm' : name;
}
