-- When each user last logged in. Sessions cannot tell: they are deleted after ninety days.
ALTER TABLE users ADD COLUMN last_login_at timestamptz;
UPDATE users u SET last_login_at = s.newest
  FROM (SELECT user_id, max(created_at) AS newest FROM sessions GROUP BY user_id) s
 WHERE s.user_id = u.id;
-- Those who never did are the first to look for.
CREATE INDEX users_by_last_login ON users (company_id, (COALESCE(last_login_at, '-infinity')), id);
