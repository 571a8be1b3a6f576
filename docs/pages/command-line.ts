import { createProgram } from '../../apps/server/src/main.ts';

type Command = ReturnType<typeof createProgram>;
type Option = Command['options'][number];

/** Returns the page of the command line: each command with its arguments and options. */
export function commandLinePage(): string {
  const program = createProgram();
  return `# Command line

The guides write \`yardarm <command>\`. How to call it depends on the [way of installation](../guides/install.md):

| Installed as | Command |
|---|---|
| source | \`npm run -s yardarm -- <command>\`; from another folder \`npm --prefix <clone> run -s yardarm -- <command>\`. Paths are relative to the current folder |
| package | \`yardarm <command>\` after \`npm install -g\`, else \`npx yardarm <command>\` |
| single executable | \`./yardarm-linux-x64 <command>\` |
| Debian package | \`sudo -u yardarm yardarm --config /etc/yardarm/yardarm.env <command>\` |
| image, while the server runs | \`docker exec -i <container> /usr/bin/yardarm <command>\`, or \`docker compose exec -T yardarm /usr/bin/yardarm <command>\` |
| image, while it is stopped | \`docker run -i --rm\` with the volume and the settings of the server, then image and command; or \`docker compose run -T --rm yardarm <command>\` |
| cluster | \`kubectl -n yardarm exec -i <pod> -- /usr/bin/yardarm <command>\` |

**Commands for the database** open it themselves: ${inProse(program.commands.filter((command) => !isRemote(command)))}.
They need the settings of the server, in the environment or in a file that \`--config\` names.

**Commands for a running server** call it with the rights of a token: those with the option \`--url\`. Any user of any machine
that reaches the server can run them.

${options(program.options)}

${commandsOf(program).map(section).join('\n\n')}
`;
}

/** Returns whether a command, or each of those below it, calls a server. */
function isRemote(command: Command): boolean {
  return commandsOf({ commands: [command] }).every(({ options }) => options.some(({ long }) => long === '--url'));
}

function inProse(commands: readonly Command[]): string {
  const notOnDatabase = ['start', 'demo', 'config', 'health'];
  const names = commands.map((command) => command.name()).filter((name) => !notOnDatabase.includes(name));
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function commandsOf(parent: { readonly commands: readonly Command[] }): Command[] {
  return parent.commands.flatMap((command) => (command.commands.length === 0 ? [command] : commandsOf(command)));
}

function section(command: Command): string {
  const description = command.description();
  const text = `## ${nameOf(command)}

\`yardarm ${nameOf(command)} ${command.usage()}\`

${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  return command.options.length === 0 ? text : `${text}\n\n${options(command.options)}`;
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

function options(list: readonly Option[]): string {
  const rows = list.map(({ flags, description }) => `| \`${flags}\` | ${description.replaceAll('|', '\\|')} |`);
  return `| Option | Meaning |\n|---|---|\n${rows.join('\n')}`;
}
