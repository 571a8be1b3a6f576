/** Makes `Date.now` of a server run faster from a given moment on. All servers of a test use the same moment. */
const { FAST_CLOCK_START, FAST_CLOCK_SPEED } = process.env;
const [start, speed] = [Number(FAST_CLOCK_START), Number(FAST_CLOCK_SPEED)];
const realNow = Date.now;

Date.now = () => Math.floor(start + (realNow() - start) * speed);
