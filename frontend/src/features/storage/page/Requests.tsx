import { useTranslation } from 'react-i18next'
import { formatBytes, formatDate, formatDateTime, formatNumber } from '@/i18n/format'
import { storageRequests } from '../api'
import { GuestLinks } from './GuestLinks'

/** Links by which people without an account send files. */
export function Requests() {
  const { t } = useTranslation('storage')
  return (
    <GuestLinks
      kind="requests"
      query={storageRequests}
      details={(request) =>
        t('requests.details', {
          received: formatBytes(request.receivedBytes),
          most: formatBytes(request.maxBytes),
          waiting: formatNumber(request.arrivals.length),
          accepted: formatNumber(request.accepted),
          created: formatDate(request.createdAt),
          expires: formatDateTime(request.expiresAt),
        })
      }
      stateOf={({ state }) => ({ text: state === 'open' ? '' : t(`requests.states.${state}`) })}
    />
  )
}
