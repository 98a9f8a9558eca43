import { useTranslation } from 'react-i18next'
import { Navigate, useParams } from 'react-router'
import { Button, LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { PageHeader } from '@/components/PageHeader'
import { toast } from '@/components/toast'
import styles from '../page.module.css'
import { post } from '../api'
import { usePageState } from '../client-state'
import { useErrorText } from '../use-call'
import { FileTable } from './FileTable'
import { folderUrl } from './folder-url'
import { Name } from '../Name'

export default function TrashPage() {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const { space: id } = useParams()
  const { spaces } = usePageState()
  const space = spaces.find((each) => each.id === id)
  if (!space) return <Navigate to="/files" replace />

  async function restore(path: string, name: string) {
    try {
      await post('/restore', { space: id, path, sequence: '' })
      toast.success(t('versions.restored', { name }))
    } catch (error) {
      toast.error(textOf(error))
    }
  }

  return (
    <div className={styles.page}>
      <PageHeader
        title={t('trash.title')}
        sub={t('trash.sub', { space: space.name })}
        actions={
          <LinkButton variant="outlined" to={folderUrl(space.id, '')}>
            {t('trash.back')}
          </LinkButton>
        }
      />
      <FileTable
        list={{ space: space.id, revision: space.revision, trash: true }}
        caption={t('trash.title')}
        dateLabel={t('trash.removed')}
        name={(row) => <Name>{row.path}</Name>}
        end={(row) => (
          <Button
            variant="text"
            aria-label={t('trash.restoreOf', { name: row.name })}
            onClick={() => void restore(row.path, row.name)}
          >
            {t('versions.restore')}
          </Button>
        )}
        empty={<EmptyState title={t('trash.emptyTitle')} text={t('trash.emptyText')} />}
      />
    </div>
  )
}
