export { password } from './company.ts';
export { historyMs, liveThroughMonth } from './month.ts';
export { PastClock } from './past-clock.ts';
export { playStory, type Telling } from './story.ts';
