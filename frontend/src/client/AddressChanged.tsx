import { useTranslation } from 'react-i18next'
import { formatDate } from '@/i18n/format'
import type { Schemas } from './api'

type Props = { person: Pick<Schemas['TeamMember'], 'name' | 'email' | 'formerAddress'> }

/** Warns, before words are compared, that the directory has replaced the address of somebody. */
export function AddressChanged({ person }: Props) {
  const { t } = useTranslation('client')
  const former = person.formerAddress
  if (!former) return null
  return (
    <p role="note">
      {t('team.addressChanged', {
        name: person.name,
        former: former.email,
        email: person.email,
        date: formatDate(former.replacedAt),
      })}
    </p>
  )
}
