export { ModeChoice } from './mode-choice.tsx';
