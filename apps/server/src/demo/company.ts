// The made-up company of the demo: an online shop for garden tools.

/** The password of everybody in the demo. It protects nothing: the demo listens on the loopback address alone. */
export const password = 'Look-Around-1';

export const people = [
  { username: 'ada', name: 'Ada Berg', rootRole: 'Admin' },
  { username: 'bruno', name: 'Bruno Costa', rootRole: 'Editor' },
  { username: 'chen', name: 'Chen Li', rootRole: 'Editor' },
  { username: 'dara', name: 'Dara Okafor', rootRole: 'Editor' },
  { username: 'emil', name: 'Emil Novak', rootRole: 'Viewer' },
] as const;

export type Username = (typeof people)[number]['username'];

/** The projects, each with its owner, its flags and the application that evaluates the flags. */
export const projects = [
  {
    id: 'checkout',
    name: 'Checkout',
    owner: 'bruno',
    application: 'shop-checkout',
    flags: [
      ['new-checkout', 'The checkout on one page'],
      ['express-payment', 'Pay with a stored card'],
      ['gift-cards', 'Pay with gift cards'],
      ['address-lookup', 'Complete addresses while they are typed'],
      ['split-payment', 'Pay with two means'],
      ['guest-checkout', 'Buy without an account'],
      ['invoice-by-mail', 'Send invoices by e-mail'],
      ['delivery-slots', 'Choose an hour of delivery'],
      ['click-and-collect', 'Collect in a store'],
      ['coupon-stacking', 'Use several coupons'],
      ['tax-service-v2', 'Taxes from the new service'],
      ['order-notes', 'Notes for the courier'],
      ['save-for-later', 'Keep items for later'],
      ['fraud-score', 'Ask for a fraud score before payment'],
      ['retry-payment', 'Try a failed payment again'],
    ],
  },
  {
    id: 'search',
    name: 'Search',
    owner: 'chen',
    application: 'shop-search',
    flags: [
      ['semantic-search', 'Find products by meaning'],
      ['search-suggestions', 'Suggest while typing'],
      ['spelling-correction', 'Correct misspelt words'],
      ['personal-ranking', 'Rank by what a customer bought'],
      ['facet-counts', 'Count products of each filter'],
      ['image-search', 'Search with a photograph'],
      ['recent-searches', 'Show recent searches'],
      ['sponsored-results', 'Show sponsored products'],
      ['synonyms-v2', 'The new list of synonyms'],
      ['infinite-scroll', 'Load results while scrolling'],
      ['stock-first', 'Show products in stock first'],
      ['search-cache', 'Cache results for a minute'],
      ['vector-index', 'Read the new index'],
      ['zero-result-help', 'Help when nothing is found'],
      ['voice-search', 'Search by voice'],
    ],
  },
  {
    id: 'mobile',
    name: 'Mobile app',
    owner: 'dara',
    application: 'shop-app',
    flags: [
      ['dark-mode', 'Dark colors'],
      ['barcode-scanner', 'Scan products in the store'],
      ['push-offers', 'Push messages about offers'],
      ['offline-cart', 'A cart without network'],
      ['biometric-login', 'Log in with a fingerprint'],
      ['new-navigation', 'Tabs at the bottom'],
      ['app-review-prompt', 'Ask for a review'],
      ['store-map', 'A map of the store'],
      ['loyalty-card', 'The loyalty card in the app'],
      ['live-tracking', 'Follow the courier'],
      ['widget', 'A widget for the home screen'],
      ['compressed-images', 'Smaller images on slow networks'],
      ['share-list', 'Share a shopping list'],
      ['tablet-layout', 'Two columns on tablets'],
      ['haptic-feedback', 'Vibrate on actions'],
    ],
  },
  {
    id: 'platform',
    name: 'Platform',
    owner: 'ada',
    application: 'gateway',
    flags: [
      ['http-3', 'HTTP/3 at the edge'],
      ['read-replicas', 'Read from replicas'],
      ['request-hedging', 'Send slow requests twice'],
      ['new-rate-limiter', 'The new rate limiter'],
      ['trace-sampling', 'Sample one trace of ten'],
      ['queue-v2', 'The new queue of orders'],
      ['brotli', 'Brotli for answers'],
      ['connection-pooling', 'One pool for all services'],
      ['edge-cache', 'Cache product pages at the edge'],
      ['strict-csp', 'A strict content security policy'],
      ['load-shedding', 'Refuse the least important requests under load'],
      ['cost-report', 'Record the cost of each request'],
      ['arm-nodes', 'Run on ARM'],
      ['blue-green-deploy', 'Deploy beside the running version'],
      ['slow-query-log', 'Log queries over 100 ms'],
    ],
  },
] as const satisfies readonly {
  readonly id: string;
  readonly owner: Username;
  readonly flags: readonly (readonly [name: string, description: string])[];
  readonly [other: string]: unknown;
}[];

export const segments = [
  { name: 'employees', constraints: [{ contextName: 'userId', operator: 'STR_ENDS_WITH', values: ['@shop.example'] }] },
  { name: 'beta-customers', constraints: [{ contextName: 'plan', operator: 'IN', values: ['beta'] }] },
] as const;
