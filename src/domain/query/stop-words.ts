/**
 * English words that say nothing about the topic of a text. `in`, `from`, `of`, `if` and `is` are excluded because they
 * are also keywords of code, as are single letters other than `a` and `i`. Chosen by measurement
 * (`docs/decisions/0007-keyword-reading.md`).
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against ain all also am an and any are aren as at be because been
  before being below between both but by can cannot could couldn did didn do does doesn doing
  don down during each few for further had hadn has hasn have haven having he her here hers
  herself him himself his how i into isn it its itself just let ll may me might mine more most
  must my myself no nor not off on once only or other our ours ourselves out over own re same
  shall she should shouldn so some such than that the their theirs them themselves then there
  these they this those through to too under until up us ve very was wasn we were weren what
  when where which while who whom whose why will with won would wouldn you your yours yourself
  yourselves`.split(/\s+/),
);
