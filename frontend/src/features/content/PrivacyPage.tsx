import { LegalPage } from './LegalPage'

const sections = ['controller', 'data', 'unreadable', 'purposes', 'recipients', 'retention', 'browser', 'rights']

export default function PrivacyPage() {
  return (
    <LegalPage
      name="privacy"
      sections={sections}
      version={{ number: '0.1', effective: new Date(2026, 10, 16) }}
      keyClause={{ section: 'unreadable', place: 1 }}
      draft
    />
  )
}
