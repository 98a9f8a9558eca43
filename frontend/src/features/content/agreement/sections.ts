export const sections = [
  'terms',
  'legal',
  'general',
  'communications',
  'account',
  'use',
  'liability',
  'export',
  'ip',
  'payments',
] as const

export type SectionId = (typeof sections)[number]

/** A clause by its section and its place there, counted from one as readers cite it. */
export type Clause = { section: SectionId; place: number }

/** The clause nobody may miss. */
export const passphraseClause: Clause = { section: 'account', place: 3 }

export function numberOf({ section, place }: Clause): string {
  return `${sections.indexOf(section) + 1}.${place}`
}

export function clauseId({ section, place }: Clause): string {
  return `${section}-${place}`
}

export const agreementVersion = { version: '1.0', effective: new Date(2026, 10, 16) }
