/** Software and the work on it; in the form that `concepts.ts` describes. */
export const software = `
  软件 程序 应用 应用程序 | software application program
  后端 服务端 服务器 | backend server
  前端 界面 页面 网页 | frontend page interface
  框架 库 依赖 组件 | framework library
  接口 端点 | api endpoint interface
  数据库 库表 | database
  数据 信息 资料 | data information
  表 字段 列 | table column
  类型 数据类型 格式 | type format
  存储 保存 存放 存 | store save keep
  备份 快照 | backup
  删除 清除 抹去 移除 注销 | delete remove erase
  部署 发布 上线 发版 | deploy release
  托管 机房 云 云服务 主机 | hosting cloud
  登录 登入 登陆 | login
  注册 账号 账户 | account register
  密码 口令 通行密钥 | password passkey
  密钥 凭证 令牌 机密 | secret key token
  权限 授权 认证 鉴权 | permission authorization authentication
  验证 校验 检查 | validate check verify
  测试 自动化测试 单元测试 端到端 | test
  浏览器 | browser
  错误 异常 报错 故障 | error exception
  失败 出错 | fail failure
  重试 再试 | retry
  日志 记录 | log
  监控 告警 报警 | monitor alert
  性能 速度 快 慢 | performance speed
  缓存 | cache
  队列 任务 作业 后台任务 | queue job task
  消息 通知 推送 | message notification
  邮件 电子邮件 邮箱 发信 | email mail
  图片 图像 照片 | image picture photo
  缩放 尺寸 调整 大小 | resize scale size
  上传 传 | upload
  下载 | download
  文件 文档 | file document
  搜索 查询 检索 | search query
  支付 付款 计费 收费 账单 | payment billing
  发票 收据 | invoice
  价格 金额 钱 费用 | price amount money
  整数 浮点 小数 | integer float
  时间 时间戳 日期 时刻 | time timestamp date
  时区 | time zone
  代码 源码 源代码 | code source
  评审 审查 复审 | review
  批准 同意 审批 | approve approval
  合并 合并请求 | merge pull request
  提交 | commit
  分支 | branch
  版本 发行版 | version release
  升级 更新 迁移 | upgrade update migration
  配置 设置 参数 | configuration setting
  开关 功能开关 | flag switch
  限流 频率 限制 上限 最大 | rate limit
  超时 等待 | timeout
  停机 停服 维护 下线 宕机 | downtime maintenance offline
  中断 事故 瘫痪 | outage incident
  证书 加密 | certificate encryption
  域名 解析 | domain dns
  网络 内网 代理 | network proxy vpn
  移动端 手机应用 客户端 安卓 | mobile app
  开发 编写 编程 实现 写 | develop write implement
  语言 编程语言 | language
  设计 规范 样式 | design style
  翻译 本地化 国际化 | translation localization
  无障碍 残障 残疾人 盲人 | accessibility disabled
  许可证 授权 协议 | licence license
  开源 | open source
  会议 例会 开会 计划会 晨会 | meeting
  团队 小组 成员 | team
  负责 负责人 主管 | responsible owner owns
  供应商 厂商 服务商 | supplier provider vendor
  模型 训练 | model training
  推荐 | recommendation
  仓库 单一仓库 | repository monorepo
  容器 镜像 | container image
  环境 预发 生产 线上 | staging production environment
  框架 > Fastify React Vue Svelte Angular Django Rails
  数据库 > Postgres MySQL Redis MongoDB SQLite
  语言 > Kotlin Java Python TypeScript JavaScript Ruby
  浏览器 > Chrome Chromium Safari Firefox WebKit
  脚本 命令行 终端 | script cli terminal shell
  变量 函数 方法 | function method variable
  类 对象 | class object
  模块 包 | module package
  编译 构建 打包 | build compile bundle
  持续集成 流水线 | pipeline ci continuous
  代码风格 格式化 检查器 | lint linter formatter style
  文档 说明 手册 | documentation docs manual readme documented
  架构 结构 | architecture structure
  微服务 单体 | microservice monolith service
  消息队列 异步 后台 | queue asynchronous background worker job
  定时 定时任务 每晚 | schedule cron nightly scheduled
  并发 线程 锁 | concurrency thread lock
  内存 泄漏 | memory leak
  磁盘 存储桶 硬盘 | disk bucket storage
  索引 主键 | index key
  事务 一致性 | transaction consistency
  迁移 结构变更 | migration schema
  压缩 | compress compression gzip
  序列化 解析 | parse serialize parsing
  二进制 文本 | binary text
  字符 编码 | encoding charset unicode
  渲染 显示 展示 | render display show rendered
  按钮 菜单 表单 | button menu form
  图表 报表 看板 | chart dashboard report graph
  主题 深色 | theme dark
  字体 | font typeface
  快捷键 | shortcut hotkey
  搜索引擎 全文 | search elasticsearch fulltext
  向量 嵌入 | embedding vector
  人工智能 大模型 | ai llm model
  提示词 | prompt
  指标 埋点 统计 | metrics analytics telemetry statistics
  追踪 链路 | trace tracing
  值班 轮值 | oncall pager
  回滚 恢复 还原 | rollback restore recover recovery
  灾备 容灾 | disaster failover
  负载 压测 | load benchmark
  扩容 伸缩 | scale scaling autoscale
  负载均衡 网关 | balancer gateway proxy
  防火墙 攻击 漏洞 | firewall attack vulnerability security
  注入 跨站 | injection xss csrf
  审计 合规 | audit compliance gdpr
  租户 多租户 | tenant multitenant
  会话 令牌 | session cookie token
  单点登录 | sso oauth login
  订阅 套餐 | subscription plan
  退款 结算 | refund settlement
  物流 发货 | shipping delivery
  库存 商品 | inventory stock product
  购物车 订单 | cart basket order
  优惠券 促销 | coupon voucher promotion
  待办 看板 工单 | ticket issue backlog
  里程碑 截止日期 排期 | deadline milestone schedule
  冲刺 迭代 | sprint iteration
  需求 规格 | requirement specification
  原型 草图 | prototype mockup
  复盘 回顾 | retrospective postmortem
  缺陷 漏洞 问题 | bug defect issue
  补丁 修复 | fix patch hotfix
  废弃 弃用 淘汰 | deprecated retire obsolete sunset off
  兼容 向后兼容 | compatible compatibility
  平台 系统 | platform system
  苹果系统 安卓系统 | ios android mobile
  桌面 桌面端 | desktop
  电报 钉钉 飞书 | slack teams chat
  代码仓库 托管 | repository repo monorepo git
  分析 数据分析 | analysis analyse
  脱敏 匿名 | anonymise anonymous anonymised
  framework > fastify react vue svelte angular django rails nextjs
  database > postgres postgresql mysql redis mongodb sqlite dynamodb
  language > kotlin java python typescript javascript ruby elixir
  browser > chrome chromium safari firefox webkit
  hosting > aws azure gcp heroku vercel netlify hetzner
  cloud > aws azure gcp
`;
