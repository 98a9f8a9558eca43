import { LegalPage } from './LegalPage'

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

export default function AgreementPage() {
  return (
    <LegalPage
      name="agreement"
      sections={sections}
      version={{ number: '1.0', effective: new Date(2026, 10, 16) }}
      keyClause={{ section: 'account', place: 3 }}
    />
  )
}
