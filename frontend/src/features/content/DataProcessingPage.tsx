import { LegalPage } from './LegalPage'

const sections = ['roles', 'scope', 'instructions', 'security', 'subprocessors', 'transfers', 'assistance', 'deletion']

export default function DataProcessingPage() {
  return (
    <LegalPage
      name="processing"
      sections={sections}
      version={{ number: '0.1', effective: new Date(2026, 10, 16) }}
      keyClause={{ section: 'security', place: 1 }}
      draft
    />
  )
}
