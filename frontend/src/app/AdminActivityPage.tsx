import ActivityPage from '@/features/activity/ActivityPage'

export default function AdminActivityPage() {
  return <ActivityPage scope="all" />
}
