/** Lets `Date.now` of a server go faster from a fixed moment on, which all servers of a test share. */
const { FAST_CLOCK_START, FAST_CLOCK_SPEED } = process.env;
const [start, speed] = [Number(FAST_CLOCK_START), Number(FAST_CLOCK_SPEED)];
const realNow = Date.now;

Date.now = () => Math.floor(start + (realNow() - start) * speed);
