/** Lets integrations that people read and that tell of held flags tell of alerts that outlast an override, too. */
export function outlastedOverrides(): readonly string[] {
  const held = '"feature-lease-placed"';
  return [
    `update integrations set events = replace(events, '${held}', '${held},"feature-override-outlasted"')
      where provider in ('email', 'slack', 'slack-app', 'teams', 'discord')`,
  ];
}
