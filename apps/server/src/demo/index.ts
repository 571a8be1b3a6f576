export { password } from './company.ts';
export { historyMs, liveThroughMonth } from './month.ts';
export { PastClock } from './past-clock.ts';
export { playStory } from './story.ts';
