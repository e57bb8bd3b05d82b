"""What a program in Python does with DynamoDB, against the endpoint in the first argument. Prints what it finds, as JSON."""
import json
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

settings = dict(
    endpoint_url=sys.argv[1],
    region_name="us-east-1",
    aws_access_key_id="id",
    aws_secret_access_key="secret",
    config=Config(retries={"max_attempts": 1}),
)
found = {}
client = boto3.client("dynamodb", **settings)
client.create_table(
    TableName="songs",
    AttributeDefinitions=[
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
    ],
    KeySchema=[
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ],
    BillingMode="PAY_PER_REQUEST",
    StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
)
client.get_waiter("table_exists").wait(TableName="songs", WaiterConfig={"Delay": 1, "MaxAttempts": 2})
table = boto3.resource("dynamodb", **settings).Table("songs")
with table.batch_writer() as batch:
    for sk in range(30):
        batch.put_item(Item={"pk": "song", "sk": sk, "title": "T%03d" % sk, "data": b"\x00\xff", "tags": {"a", "b"}})
pages = client.get_paginator("query").paginate(
    TableName="songs",
    KeyConditionExpression="pk = :pk",
    ExpressionAttributeValues={":pk": {"S": "song"}},
    PaginationConfig={"PageSize": 12},
)
found["pages"] = [page["Count"] for page in pages]
item = table.get_item(Key={"pk": "song", "sk": 7})["Item"]
found["item"] = [item["title"], bytes(item["data"]).hex(), sorted(item["tags"]), str(item["sk"])]
try:
    client.put_item(
        TableName="songs",
        Item={"pk": {"S": "song"}, "sk": {"N": "7"}},
        ConditionExpression="attribute_not_exists(pk)",
    )
except client.exceptions.ConditionalCheckFailedException as error:
    found["condition"] = [type(error).__name__, error.response["Error"]["Message"]]
try:
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": "songs", "Item": {"pk": {"S": "x"}, "sk": {"N": "1"}}}},
            {
                "ConditionCheck": {
                    "TableName": "songs",
                    "Key": {"pk": {"S": "nobody"}, "sk": {"N": "1"}},
                    "ConditionExpression": "attribute_exists(pk)",
                }
            },
        ]
    )
except client.exceptions.TransactionCanceledException as error:
    found["transaction"] = [reason["Code"] for reason in error.response["CancellationReasons"]]
try:
    client.describe_table(TableName="nowhere")
except client.exceptions.ResourceNotFoundException as error:
    found["missing"] = error.response["ResponseMetadata"]["HTTPStatusCode"]
try:
    client.get_item(TableName="songs", Key={"x": {"S": "a"}})
except ClientError as error:
    found["invalid"] = error.response["Error"]["Code"]
streams = boto3.client("dynamodbstreams", **settings)
arn = streams.list_streams(TableName="songs")["Streams"][0]["StreamArn"]
shard = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
records = streams.get_records(ShardIterator=iterator)["Records"]
found["records"] = [len(records), records[0]["eventName"]]
arn = client.describe_table(TableName="songs")["Table"]["TableArn"]
client.tag_resource(ResourceArn=arn, Tags=[{"Key": "a", "Value": "b"}])
found["tags"] = client.list_tags_of_resource(ResourceArn=arn)["Tags"]
big = client.scan(TableName="songs")
found["checksum"] = "x-amz-crc32" in big["ResponseMetadata"]["HTTPHeaders"]
client.delete_table(TableName="songs")
client.get_waiter("table_not_exists").wait(TableName="songs", WaiterConfig={"Delay": 1, "MaxAttempts": 2})
print(json.dumps(found))
