/** An optional package is not installed. The message tells the operator which package to install. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage';
}

/**
 * Loads a package that is not installed with the server. Rejects with a {@link MissingPackage} when it is missing. The
 * clients of brokers are 12 MB (Redis) and 1.7 MB (NATS), and most installations use neither, so they are optional peer
 * dependencies, which npm does not install. Without one the attempt fails and is repeated: installing it loses no
 * event.
 */
export async function loadOptional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      throw new MissingPackage(
        `The package ${name} is not installed. Run npm install ${name} where Yardarm is installed.`,
      );
    throw error;
  }
}
