import { TextLink } from './link.tsx';
import { Hint } from './text.tsx';

interface Props {
  readonly projectId: string;
  readonly featureName: string;
}

/** A link to a flag, in the style of tables. */
export function FlagLink({ projectId, featureName }: Props) {
  return (
    <TextLink
      to="/projects/$projectId/features/$featureName"
      params={{ projectId, featureName }}
      size="sm"
      ff="monospace"
      style={{ overflowWrap: 'anywhere' }}
    >
      {featureName}
    </TextLink>
  );
}

/** A link to a flag with the id of its project below. */
export function FlagLinkWithProject(props: Props) {
  return (
    <>
      <FlagLink {...props} />
      <Hint>{props.projectId}</Hint>
    </>
  );
}
