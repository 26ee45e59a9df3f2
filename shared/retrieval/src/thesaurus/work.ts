/** Tools and words of software work; in the form that `concepts.ts` describes. */
export const work = `
  authentication authenticate login signin credentials password
  authorization permissions roles access rbac
  queue kafka rabbitmq sqs bullmq nats
  队列 > Kafka RabbitMQ Celery
  cache redis memcached cdn
  monitoring > prometheus grafana datadog sentry newrelic
  error > sentry bugsnag rollbar
  log > loki kibana splunk elk winston pino
  hosting > fly railway render digitalocean linode cloudflare
  deployment > docker kubernetes helm terraform ansible
  部署 > Docker Kubernetes Helm Terraform
  ci > jenkins circleci actions travis
  test > jest vitest pytest cypress playwright selenium mocha junit
  测试 > Jest Vitest Playwright Cypress Selenium
  validation > zod joi yup ajv
  orm > prisma drizzle sequelize typeorm hibernate
  database > cassandra mariadb neo4j elasticsearch clickhouse supabase
  build > webpack vite esbuild rollup turborepo gradle maven bazel
  lint > eslint prettier biome
  language > php perl scala haskell dart erlang cobol fortran matlab
  mobile > android ios kotlin swiftui flutter
  移动端 > iOS Android Kotlin Flutter
  payment > stripe paypal adyen klarna braintree
  支付 > 支付宝 微信支付 Stripe
  mail > postmark sendgrid mailgun ses mailchimp
  邮件 > Postmark SendGrid Mailgun
  chat > slack discord teams mattermost
  repository > github gitlab bitbucket
  editor > vscode vim emacs intellij neovim
  ide editor
  api > rest graphql grpc soap
  接口 > REST GraphQL gRPC SOAP
  protocol > http websocket mqtt tcp udp
  format > json yaml csv xml parquet protobuf pdf
  格式 > JSON YAML CSV XML PDF
  encryption > tls ssl aes rsa bcrypt
  storage > s3 bucket minio disk
  存储 > S3 OSS
  model > gpt claude llama gemini mistral
  design > figma storybook sketch
  document > confluence notion wiki
  translation > weblate crowdin lokalise
  documentation wiki docs guide handbook
  currency > euro dollar pound yen
  货币 > 美元 欧元 人民币 日元
  money > cents euros dollars pounds
  retry retries backoff attempt again
  timeout deadline expire
  outage downtime incident failure crash down
  offline down unavailable downtime
  maintenance downtime upkeep
  scale resize shrink enlarge
  picture image photo screenshot thumbnail
  upload send attach submit
  file attachment upload document
  delete remove erase purge drop
  leave quit deactivate cancel unsubscribe
  replace swap substitute migrate switch
  choose chose pick select adopt
  slow latency lag performance
  fast speed performance latency
  limit quota cap throttle maximum
  bug defect fault regression
  release deploy ship launch publish rollout
  release > version tag milestone
  review approve approval reviewer
  responsible owns owner maintainer charge
  meeting standup retro planning sync
  schedule nightly daily weekly hourly
  customer client tenant user buyer
  supplier vendor provider
  price cost fee charge
  invoice bill receipt
  tax vat
  subscription plan tier
  licence license mit apache gpl agpl
  privacy gdpr personal anonymise
  secret credential vault key
  security vulnerability breach attack
  accessible accessibility disabled screenreader wcag blind
  colour palette theme
  chart graph plot diagram
  frontend client browser ui page
  backend server api
  job worker task batch
  search find lookup query
  import importer ingest load
  export dump download
  parse parser parsing read
  memory heap leak ram
  thread concurrency parallel
  container docker image
  environment staging production
  branch trunk main
  merge rebase squash
  commit changelog
  library package dependency framework module
  upgrade update bump pin
  deprecated sunset legacy removed obsolete
  decision decided chose rejected considered
  rejected refused declined abandoned
`;
