import { useTranslation } from 'react-i18next'
import type { Activity } from '../api'

type Props = { activity: Pick<Activity, 'actorName' | 'apiTokenId'> }

/** Who did it. A token says so, because its name may be that of a person. */
export function Actor({ activity: { actorName, apiTokenId } }: Props) {
  const { t } = useTranslation('activity')
  return (
    <>
      <bdi>{actorName || t('nobody')}</bdi>
      {apiTokenId === null ? null : <> ({t('apiToken')})</>}
    </>
  )
}
