/** Version of the SDK for Ruby in Debian's package `ruby-unleash`. */
export const rubyVersion = '3.2.5';
