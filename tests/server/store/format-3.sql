BEGIN TRANSACTION;
CREATE TABLE entries (
    match TEXT NOT NULL, log INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (match, log, n)
) WITHOUT ROWID;
INSERT INTO "entries" VALUES('77x9r6ve',0,1,1796078678379,'{"event":"seated","seat":0,"player":"c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba","name":"Ann","bot":null,"level":null,"paired":false}');
INSERT INTO "entries" VALUES('77x9r6ve',0,2,1796078678379,'{"event":"came","seat":0,"connection":"c9743246-1"}');
INSERT INTO "entries" VALUES('77x9r6ve',0,3,1796078678381,'{"event":"seated","seat":1,"player":"3d4bc16ba92c0fc3e9617cf5422cfbc211e28a297be7600e52484f244666fdd6","name":"B\",\"bot\":null}\\","bot":null,"level":null,"paired":false}');
INSERT INTO "entries" VALUES('77x9r6ve',0,4,1796078678381,'{"event":"came","seat":1,"connection":"c9743246-2"}');
INSERT INTO "entries" VALUES('77x9r6ve',0,5,1796078678384,'{"event":"committed","seat":0,"commitment":"0aa24538f7d3fb05fa8561c3586da6c4d42f4c5c08a7e741f97b6c0148a25a89"}');
INSERT INTO "entries" VALUES('77x9r6ve',0,6,1796078678386,'{"event":"committed","seat":1,"commitment":"fa2dc8712807e4b9502fd21d76f489365c8d0fe44bac2cbb8d10efe2a90c691d"}');
INSERT INTO "entries" VALUES('77x9r6ve',0,7,1796078678388,'{"event":"revealed","seat":0,"nonce":"0123456789abcdef0123456789abcdef"}');
INSERT INTO "entries" VALUES('77x9r6ve',0,8,1796078678390,'{"event":"revealed","seat":1,"nonce":"0123456789abcdef0123456789abcdef"}');
INSERT INTO "entries" VALUES('77x9r6ve',0,9,1796078678390,'{"event":"dealt","starts":1796078681390}');
INSERT INTO "entries" VALUES('77x9r6ve',0,10,1796078681401,'{"event":"finished","result":{"winner":null,"reason":"draw","places":[1,1]}}');
INSERT INTO "entries" VALUES('77x9r6ve',1,1,9,'stand');
INSERT INTO "entries" VALUES('77x9r6ve',2,1,11,'stand');
INSERT INTO "entries" VALUES('89yy3jzk',0,1,1796078672283,'{"event":"seated","seat":0,"player":"c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba","name":"Ann","bot":null,"level":null,"paired":false}');
INSERT INTO "entries" VALUES('89yy3jzk',0,2,1796078672283,'{"event":"came","seat":0,"connection":"c9743246-1"}');
INSERT INTO "entries" VALUES('89yy3jzk',0,3,1796078672286,'{"event":"seated","seat":1,"player":"3d4bc16ba92c0fc3e9617cf5422cfbc211e28a297be7600e52484f244666fdd6","name":"B\",\"bot\":null}\\","bot":null,"level":null,"paired":false}');
INSERT INTO "entries" VALUES('89yy3jzk',0,4,1796078672286,'{"event":"came","seat":1,"connection":"c9743246-2"}');
INSERT INTO "entries" VALUES('89yy3jzk',0,5,1796078672287,'{"event":"committed","seat":0,"commitment":"f19d66157917d760fad19bd580961a6364272de4ea4150cb60eb153dc5af6dfd"}');
INSERT INTO "entries" VALUES('89yy3jzk',0,6,1796078672288,'{"event":"committed","seat":1,"commitment":"bdf82751a215416ce2da5e148059417c6efcc8c13406c4ad1ed9dfe21e722478"}');
INSERT INTO "entries" VALUES('89yy3jzk',0,7,1796078672290,'{"event":"revealed","seat":0,"nonce":"0123456789abcdef0123456789abcdef"}');
INSERT INTO "entries" VALUES('89yy3jzk',0,8,1796078672291,'{"event":"revealed","seat":1,"nonce":"0123456789abcdef0123456789abcdef"}');
INSERT INTO "entries" VALUES('89yy3jzk',0,9,1796078672291,'{"event":"dealt","starts":1796078675291}');
INSERT INTO "entries" VALUES('89yy3jzk',0,10,1796078675307,'{"event":"finished","result":{"winner":0,"reason":"resigned","places":[1,2]}}');
INSERT INTO "entries" VALUES('89yy3jzk',0,11,1796078675311,'{"event":"again","seat":0}');
INSERT INTO "entries" VALUES('89yy3jzk',0,12,1796078675314,'{"event":"again","seat":1}');
INSERT INTO "entries" VALUES('89yy3jzk',0,13,1796078675320,'{"event":"followed","match":"8q5bm94r"}');
INSERT INTO "entries" VALUES('89yy3jzk',1,1,7,'t');
INSERT INTO "entries" VALUES('89yy3jzk',1,2,8,'hp1');
INSERT INTO "entries" VALUES('89yy3jzk',1,3,9,'t');
INSERT INTO "entries" VALUES('89yy3jzk',1,4,11,'hp2');
INSERT INTO "entries" VALUES('89yy3jzk',2,1,12,'t');
INSERT INTO "entries" VALUES('89yy3jzk',2,2,15,'hp1');
INSERT INTO "entries" VALUES('89yy3jzk',2,3,16,'resign');
INSERT INTO "entries" VALUES('8q5bm94r',0,1,1796078675317,'{"event":"seated","seat":0,"player":"c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba","name":"Ann","bot":null,"level":null,"paired":false}');
INSERT INTO "entries" VALUES('8q5bm94r',0,2,1796078675317,'{"event":"came","seat":0,"connection":"c9743246-1"}');
INSERT INTO "entries" VALUES('8q5bm94r',0,3,1796078675319,'{"event":"seated","seat":1,"player":"3d4bc16ba92c0fc3e9617cf5422cfbc211e28a297be7600e52484f244666fdd6","name":"B\",\"bot\":null}\\","bot":null,"level":null,"paired":false}');
INSERT INTO "entries" VALUES('8q5bm94r',0,4,1796078675319,'{"event":"came","seat":1,"connection":"c9743246-2"}');
INSERT INTO "entries" VALUES('8q5bm94r',0,5,1796078675322,'{"event":"committed","seat":0,"commitment":"c36990a68577769a24ad061102bbf173f7cdd9e3ba48af944e1b16a6644a6fee"}');
INSERT INTO "entries" VALUES('8q5bm94r',0,6,1796078675324,'{"event":"committed","seat":1,"commitment":"3c7c175fdddda84c2eab58811d9e7f7ed0c5127c0de86226871c0ac0e18b833f"}');
INSERT INTO "entries" VALUES('8q5bm94r',0,7,1796078675326,'{"event":"revealed","seat":0,"nonce":"0123456789abcdef0123456789abcdef"}');
INSERT INTO "entries" VALUES('8q5bm94r',0,8,1796078675328,'{"event":"revealed","seat":1,"nonce":"0123456789abcdef0123456789abcdef"}');
INSERT INTO "entries" VALUES('8q5bm94r',0,9,1796078675328,'{"event":"dealt","starts":1796078678328}');
INSERT INTO "entries" VALUES('8q5bm94r',1,1,46,'t');
INSERT INTO "entries" VALUES('8q5bm94r',1,2,48,'hp3');
INSERT INTO "entries" VALUES('8q5bm94r',2,1,49,'t');
INSERT INTO "entries" VALUES('fxbgf5zb',0,1,1796078688812,'{"event":"seated","seat":0,"player":"02cdaf4e3aa6a102193389d0b395e5591b8a3e147f675b47b97a91b55dd3c2c9","name":"Cid","bot":null,"level":null,"paired":false}');
INSERT INTO "entries" VALUES('fxbgf5zb',0,2,1796078688812,'{"event":"came","seat":0,"connection":"c9743246-4"}');
INSERT INTO "entries" VALUES('k2672t5y',0,1,1796078688806,'{"event":"seated","seat":0,"player":"02cdaf4e3aa6a102193389d0b395e5591b8a3e147f675b47b97a91b55dd3c2c9","name":"Cid","bot":null,"level":null,"paired":false}');
INSERT INTO "entries" VALUES('k2672t5y',0,2,1796078688806,'{"event":"came","seat":0,"connection":"c9743246-4"}');
INSERT INTO "entries" VALUES('k2672t5y',0,3,1796078688808,'{"event":"aborted","why":"left"}');
INSERT INTO "entries" VALUES('y6cavxsj',0,1,1796078681410,'{"event":"seated","seat":0,"player":"c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba","name":"Ann","bot":null,"level":null,"paired":false}');
INSERT INTO "entries" VALUES('y6cavxsj',0,2,1796078681410,'{"event":"came","seat":0,"connection":"c9743246-1"}');
INSERT INTO "entries" VALUES('y6cavxsj',0,3,1796078681413,'{"event":"seated","seat":1,"player":"78993af29661dd76d94a77ae7f6451b7da7dec59624a0260f36f7cbc0b374d98","name":"Easy house bot","bot":"tommy","level":"easy","paired":false}');
INSERT INTO "entries" VALUES('y6cavxsj',0,4,1796078681433,'{"event":"committed","seat":0,"commitment":"3aed4a499f31712b3c430077ed5d260bb40d2e7af9a7487d54c80fcd31b07084"}');
INSERT INTO "entries" VALUES('y6cavxsj',0,5,1796078682206,'{"event":"came","seat":1,"connection":"c9743246-3"}');
INSERT INTO "entries" VALUES('y6cavxsj',0,6,1796078682209,'{"event":"committed","seat":1,"commitment":"0d7fbfe9494580c77392a79314d3fa80d08586441a2cb37c321cb4424a26cc97"}');
INSERT INTO "entries" VALUES('y6cavxsj',0,7,1796078682210,'{"event":"revealed","seat":0,"nonce":"0123456789abcdef0123456789abcdef"}');
INSERT INTO "entries" VALUES('y6cavxsj',0,8,1796078682212,'{"event":"revealed","seat":1,"nonce":"79bc1b0fdbeb26420eb515c8a2efd9f4"}');
INSERT INTO "entries" VALUES('y6cavxsj',0,9,1796078682212,'{"event":"dealt","starts":1796078685212}');
INSERT INTO "entries" VALUES('y6cavxsj',1,1,8,'t');
INSERT INTO "entries" VALUES('y6cavxsj',1,2,10,'hp1');
INSERT INTO "entries" VALUES('y6cavxsj',1,3,12,'t');
INSERT INTO "entries" VALUES('y6cavxsj',1,4,14,'hp2');
INSERT INTO "entries" VALUES('y6cavxsj',1,5,16,'t');
INSERT INTO "entries" VALUES('y6cavxsj',2,1,1098,'t');
INSERT INTO "entries" VALUES('y6cavxsj',2,2,1102,'hp2');
INSERT INTO "entries" VALUES('y6cavxsj',2,3,2437,'t');
INSERT INTO "entries" VALUES('y6cavxsj',2,4,2443,'hf3');
INSERT INTO "entries" VALUES('y6cavxsj',2,5,3582,'t');
INSERT INTO "entries" VALUES('y6cavxsj',2,6,3589,'hp4');
INSERT INTO "entries" VALUES('y6cavxsj',2,7,4644,'t');
INSERT INTO "entries" VALUES('y6cavxsj',2,8,4646,'hf1');
CREATE TABLE matches (
    match TEXT PRIMARY KEY, terms TEXT NOT NULL, ended INTEGER, due INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
INSERT INTO "matches" VALUES('77x9r6ve','{"match":"77x9r6ve","game":"lucas","clock":900000,"grace":60000,"listed":false,"secret":"d0c2b7b5d4b598d5265ca6742d75be9d638dc4267411814155bb4a0c37333a5c","created":1796078678379,"outage":1}',1796078681401,1796079581390);
INSERT INTO "matches" VALUES('89yy3jzk','{"match":"89yy3jzk","game":"sir-tommy","clock":900000,"grace":60000,"listed":true,"secret":"b250feb5945e20f943dae427f9d79f1bb0fe1192adf0cb3ed9d3d87b8b327441","created":1796078672283,"outage":1}',1796078675307,1796079575291);
INSERT INTO "matches" VALUES('8q5bm94r','{"match":"8q5bm94r","game":"sir-tommy","clock":900000,"grace":60000,"listed":true,"secret":"4aaa15f497e156a7468e182bca177f9325f77a7b5589045bc95068e08889570f","created":1796078675316,"outage":1}',NULL,1796079578328);
INSERT INTO "matches" VALUES('fxbgf5zb','{"match":"fxbgf5zb","game":"numerica","clock":900000,"grace":60000,"listed":true,"secret":"74ebb18e9dd078e08c15dad478738b72eb7009ab50c62e72a2d9551265e31c53","created":1796078688812,"outage":1}',NULL,1796080488812);
INSERT INTO "matches" VALUES('k2672t5y','{"match":"k2672t5y","game":"maria","clock":900000,"grace":60000,"listed":false,"secret":"a4eb68d75426989995a3999f4e4fde6b0128907488657ce5e9e4f304bffa7119","created":1796078688805,"outage":1}',1796078688808,1796080488805);
INSERT INTO "matches" VALUES('y6cavxsj','{"match":"y6cavxsj","game":"calculation","clock":900000,"grace":60000,"listed":false,"secret":"07a73cf85a244bd82aa3d670ac4f266fa6e974b2ddb705f9fad24d985733fd06","created":1796078681409,"outage":1}',NULL,1796079585212);
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO "meta" VALUES('beat',1796078791234);
INSERT INTO "meta" VALUES('house_secret','650a2ad76e92c5a3c56cbd80d5e6d9af5f99e49710522fbdc522c1e08b118e39');
INSERT INTO "meta" VALUES('node','node3');
CREATE TABLE outages (number INTEGER PRIMARY KEY, since INTEGER NOT NULL, until INTEGER NOT NULL);
INSERT INTO "outages" VALUES(1,0,1796078672206);
INSERT INTO "outages" VALUES(2,1796078690234,1796078790234);
CREATE TABLE pairs (
    players TEXT NOT NULL, match TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (players, match)
) WITHOUT ROWID;
CREATE TABLE players (
    player TEXT PRIMARY KEY, name TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "players" VALUES('02cdaf4e3aa6a102193389d0b395e5591b8a3e147f675b47b97a91b55dd3c2c9','Cid',1796078688806,1796078688812);
INSERT INTO "players" VALUES('3d4bc16ba92c0fc3e9617cf5422cfbc211e28a297be7600e52484f244666fdd6','B","bot":null}\',1796078672286,1796078678381);
INSERT INTO "players" VALUES('78993af29661dd76d94a77ae7f6451b7da7dec59624a0260f36f7cbc0b374d98','Easy house bot',1796078681413,1796078681413);
INSERT INTO "players" VALUES('c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba','Ann',1796078672283,1796078681410);
CREATE TABLE rated (match TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO "rated" VALUES('77x9r6ve');
INSERT INTO "rated" VALUES('89yy3jzk');
INSERT INTO "rated" VALUES('k2672t5y');
CREATE TABLE ratings (
    family TEXT NOT NULL, player TEXT NOT NULL, name TEXT NOT NULL,
    rating REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL, matches INTEGER NOT NULL, at INTEGER NOT NULL, bot TEXT,
    PRIMARY KEY (family, player)
) WITHOUT ROWID;
INSERT INTO "ratings" VALUES('forty-thieves','3d4bc16ba92c0fc3e9617cf5422cfbc211e28a297be7600e52484f244666fdd6','B","bot":null}\',1500.0,2.90230507782238646543e+02,5.9998961443143539185e-02,1,1796078681401,NULL);
INSERT INTO "ratings" VALUES('forty-thieves','c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba','Ann',1500.0,2.90230507782238646543e+02,5.9998961443143539185e-02,1,1796078681401,NULL);
INSERT INTO "ratings" VALUES('sir-tommy','3d4bc16ba92c0fc3e9617cf5422cfbc211e28a297be7600e52484f244666fdd6','B","bot":null}\',1.33778799852965448737e+03,2.90230507782238646543e+02,5.99996753723381417988e-02,1,1796078675307,NULL);
INSERT INTO "ratings" VALUES('sir-tommy','c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba','Ann',1.66221200147034551264e+03,2.90230507782238646543e+02,5.99996753723381417988e-02,1,1796078675307,NULL);
CREATE TABLE seats (player TEXT NOT NULL, match TEXT NOT NULL, PRIMARY KEY (player, match)) WITHOUT ROWID;
INSERT INTO "seats" VALUES('3d4bc16ba92c0fc3e9617cf5422cfbc211e28a297be7600e52484f244666fdd6','77x9r6ve');
INSERT INTO "seats" VALUES('c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba','77x9r6ve');
INSERT INTO "seats" VALUES('3d4bc16ba92c0fc3e9617cf5422cfbc211e28a297be7600e52484f244666fdd6','89yy3jzk');
INSERT INTO "seats" VALUES('c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba','89yy3jzk');
INSERT INTO "seats" VALUES('3d4bc16ba92c0fc3e9617cf5422cfbc211e28a297be7600e52484f244666fdd6','8q5bm94r');
INSERT INTO "seats" VALUES('c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba','8q5bm94r');
INSERT INTO "seats" VALUES('02cdaf4e3aa6a102193389d0b395e5591b8a3e147f675b47b97a91b55dd3c2c9','fxbgf5zb');
INSERT INTO "seats" VALUES('02cdaf4e3aa6a102193389d0b395e5591b8a3e147f675b47b97a91b55dd3c2c9','k2672t5y');
INSERT INTO "seats" VALUES('78993af29661dd76d94a77ae7f6451b7da7dec59624a0260f36f7cbc0b374d98','y6cavxsj');
INSERT INTO "seats" VALUES('c5adf604f3742b70df70cf19e48fe1bfc9851a11c08757908d1502b9ece861ba','y6cavxsj');
CREATE TABLE waiting (
    since INTEGER PRIMARY KEY, game TEXT NOT NULL, match TEXT NOT NULL UNIQUE,
    player TEXT NOT NULL, bot INTEGER NOT NULL, bots INTEGER NOT NULL
);
INSERT INTO "waiting" VALUES(1,'numerica','fxbgf5zb','somebody',0,0);
CREATE INDEX due_matches ON matches (due) WHERE ended IS NULL;
CREATE INDEX ended_matches ON matches (ended) WHERE ended IS NOT NULL;
CREATE INDEX seats_of_match ON seats (match);
CREATE INDEX ranking ON ratings (family, rating - 2 * deviation DESC);
CREATE INDEX old_pairs ON pairs (at);
COMMIT;
PRAGMA application_id = 1953459577;
PRAGMA user_version = 3;
